"""The default extractor.

    method            the pipeline             model               load and save what was trained
    features          features of the blocks   context_features    features from the first classifier's answers
    class_scores      words of class and id    title               title words and headline
    boosted_trees     inference of trees       threshold           cut-off with the highest expected F1
    page_type         features of the page     postprocess         rules for rare cases

`duramen.training.auto` trains the model.
"""
