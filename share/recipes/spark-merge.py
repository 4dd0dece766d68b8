"""spark-submit spark-merge.py 'profiles/*.folded' OUTPUT: add up folded stacks with Spark.

pipe hands the lines of a partition to fg-merge; folded files may be cut between any two
lines. A second pipe over fewer partitions leaves less for the last one:

    cat OUTPUT/part-* | fg-merge > all.folded

Where the files have several columns, add --columns NAMES to both commands.
"""
import sys

from pyspark import SparkContext

MERGE = "fg-merge -q --allow-empty"

sc = SparkContext(appName="fg-merge")
(
    sc.textFile(sys.argv[1])
    .pipe(MERGE, checkCode=True)
    .coalesce(8)
    .pipe(MERGE, checkCode=True)
    .saveAsTextFile(sys.argv[2])
)
