"""The workshop in the browser: the server and the page of `edit`."""
