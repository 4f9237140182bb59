"""Train models: from labeled pages to a model file."""
