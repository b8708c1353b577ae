"""Path one: successor functions compiled from a task, and the classic searches over them."""
