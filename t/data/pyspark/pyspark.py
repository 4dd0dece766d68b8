"""What share/recipes/spark-merge.py needs of Spark, done the way Spark does it: a file is
a row of partitions cut between lines, pipe runs a command on each, coalesce joins them."""
import glob
import os
import subprocess


class RDD:
    def __init__(self, parts):
        self.parts = parts

    def pipe(self, command, checkCode=False):
        out = []
        for lines in self.parts:
            text = b"".join(line + b"\n" for line in lines)
            run = subprocess.run(command.split(), input=text, stdout=subprocess.PIPE, check=checkCode)
            out.append(run.stdout.splitlines())
        return RDD(out)

    def coalesce(self, n):
        joined = [[] for _ in range(min(n, len(self.parts)))]
        for i, lines in enumerate(self.parts):
            joined[i * len(joined) // len(self.parts)] += lines
        return RDD(joined)

    def saveAsTextFile(self, path):
        os.mkdir(path)
        for i, lines in enumerate(self.parts):
            with open("%s/part-%05d" % (path, i), "wb") as f:
                f.writelines(line + b"\n" for line in lines)


class SparkContext:
    def __init__(self, appName):
        pass

    def textFile(self, pattern):
        parts = []
        for path in sorted(glob.glob(pattern)):
            with open(path, "rb") as f:
                lines = f.read().splitlines()
            for i in range(0, len(lines), 97):
                parts.append(lines[i : i + 97])
            parts.append([])
        return RDD(parts)
