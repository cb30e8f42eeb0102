"""Where truth is looked up: memories and passages, read once and indexed by slot and by word."""
