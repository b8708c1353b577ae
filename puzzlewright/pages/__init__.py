"""Pages in one file, and charts: what a browser shows without a server."""
