"""`pisces tour`: scenes on a model that follows a script, in a throwaway home and workspace."""
