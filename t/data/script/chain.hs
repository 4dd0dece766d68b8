module Main (main, inner, middle, outer, deep) where
import Control.Concurrent
import Control.Monad
import System.Environment

-- outer calls middle, middle calls inner; the addition after each call keeps a frame.
inner :: Int -> Int -> Int
inner 0 s = s
inner n s = inner (n - 1) (s + n * s `mod` 7 + 1)
{-# NOINLINE inner #-}

middle :: Int -> Int
middle n = inner n 1 + n
{-# NOINLINE middle #-}

outer :: Int -> Int
outer n = middle (n + 1) * 2 + middle n
{-# NOINLINE outer #-}

-- A frame for each level.
deep :: Int -> Int -> Int
deep 0 n = outer n
deep d n = 1 + deep (d - 1) n
{-# NOINLINE deep #-}

main :: IO ()
main = do
  [threads, depth, times] <- map read <$> getArgs
  done <- forM [1 .. threads] $ \t -> do
    m <- newEmptyMVar
    _ <- forkIO $ do
      forM_ [1 .. times] $ \k -> do
        let r = deep depth (20000 + t + k `mod` 2)
        r `seq` when (r == 0) (print r)
      putMVar m ()
    return m
  mapM_ takeMVar done
