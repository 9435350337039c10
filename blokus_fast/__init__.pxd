# Makes blokus_fast a package for cimport.
