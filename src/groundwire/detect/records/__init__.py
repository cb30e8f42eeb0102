"""Claims against the records of the knowledge base: who is meant, which attribute, what the record says."""
