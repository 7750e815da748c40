"""Other people's tests and collections, read as data: nothing of them runs, and nothing of them is in this repository.

`PISCES_SUITES` names a folder with one folder a repository, called `owner+name`. Without it these tests are skipped.
"""
