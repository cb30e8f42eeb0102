"""Models: their files, how they are stored, how they are run. Only `app` enters this room."""
