"""Writer, teachers and `mini` side by side on one GPU: processes that hand each other shards of pairs in a folder."""
