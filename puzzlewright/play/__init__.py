"""`play`: a puzzle in the browser. A small server on this machine, its pages, and processes that do the long work."""
