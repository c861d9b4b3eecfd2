import { expect, it } from 'vitest'
import { oneOfEach } from './pages.ts'

const page = (path: string, status = 200, contentType = 'text/html') => ({
  ...{ url: `https://bank.test${path}`, status, contentType, title: '', depth: 1, source: 'link' as const },
})

it('reads one page of each kind, as paths, names and words in their queries tell them apart', () => {
  const urls = [
    ...['/orders/1', '/orders/2', '/orders', '/list?sort=name', '/list?sort=price', '/list?page=2', '/list?page=3'],
    ...['/index.php?page=topics', '/index.php?page=members', '/index.php?page=topic&t=4', '/index.php?page=topic&t=5'],
  ].map((path) => page(path))
  const read = oneOfEach({ urls: [...urls, page('/gone', 404), page('/logo', 200, 'image/png')] })
  expect(read.map((url) => url.slice('https://bank.test'.length))).toEqual([
    ...['/orders/1', '/orders', '/list?sort=name', '/list?sort=price', '/list?page=2'],
    ...['/index.php?page=topics', '/index.php?page=members', '/index.php?page=topic&t=4'],
  ])
})
