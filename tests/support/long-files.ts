/** Files whose every test waits for `./test --long`: without it they are not even loaded, and count-tests.ts names them. */
export const LONG_FILES: readonly string[] = [
  'tests/crash/service.test.ts',
  'tests/crawl-truth.test.ts',
  'tests/feed-news.test.ts',
  'tests/harm/real.test.ts',
  'tests/network/service.test.ts',
  'tests/roots/package.test.ts',
  'tests/roots/roots.test.ts',
  'tests/stability.test.ts',
  'tests/web-app/jobs-service.test.ts',
  'tests/web-app/walk.test.ts',
]
