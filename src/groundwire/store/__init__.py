"""Where memories are kept. Only `app` enters this room."""
