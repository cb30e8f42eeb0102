"""A flagged answer changed: values put in, claims taken out, guidance for writing it again."""
