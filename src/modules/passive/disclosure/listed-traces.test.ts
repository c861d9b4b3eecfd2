import { expect, it } from 'vitest'
import { findListedTrace } from './listed-traces.ts'

const PHP = [
  { file: '/srv/shop/src/Orders.php', line: 57, function: 'find', class: 'Shop\\Orders', type: '->' },
  { file: '/srv/shop/vendor/core/Router.php', line: 201, function: 'call' },
]

it.each<[string, unknown, readonly [string, string]]>([
  ['of PHP', { message: 'x', trace: PHP }, ['PHP', '/srv/shop/src/Orders.php:57 Shop\\Orders find']],
  [
    'deep in it',
    { error: { debug: [{ exception: 'Error', trace: PHP }] } },
    ['PHP', '/srv/shop/src/Orders.php:57 Shop\\Orders find'],
  ],
  [
    'of Java',
    {
      stackTrace: [
        { className: 'shop.Orders', methodName: 'find', fileName: 'Orders.java', lineNumber: 57, nativeMethod: false },
        { className: 'shop.Main', methodName: 'run', fileName: 'Main.java', lineNumber: 12, nativeMethod: false },
      ],
    },
    ['Java', 'Orders.java:57 shop.Orders find'],
  ],
  [
    'of Python',
    {
      exc: [
        { filename: 'app/views.py', lineno: 4, name: 'show' },
        { filename: 'app/db.py', lineno: 9, name: 'q' },
      ],
    },
    ['Python', 'app/views.py:4 show'],
  ],
  [
    'of Python, as lines',
    {
      error: 'no such column: a',
      trace: [
        '  File "/srv/shop/orders.py", line 52, in find\n    return rows(sql)\n',
        '  File "/srv/shop/db.py", line 12, in rows\n    return c.execute(sql)\n',
        'sqlite3.OperationalError: no such column: a\n',
      ],
    },
    ['Python', 'File "/srv/shop/orders.py", line 52, in find'],
  ],
  [
    'of Java, as lines',
    { trace: ['shop.Orders.find(Orders.java:57)', 'shop.Main.main(Main.java:12)'] },
    ['Java', 'shop.Orders.find(Orders.java:57)'],
  ],
])('a list of frames, %s', (_name, body, [language, line]) => {
  const found = findListedTrace(JSON.stringify(body))
  expect([found?.language, found?.lines[0]]).toEqual([language, line])
})

it.each<[string, unknown]>([
  ['one file with a line', { file: 'a.php', line: 3, function: 'x' }],
  [
    'findings of a linter',
    [
      { file: 'a.php', line: 3, message: 'x' },
      { file: 'b.php', line: 4, message: 'y' },
    ],
  ],
  [
    'rows of an order',
    {
      items: [
        { name: 'Tent', line: 1 },
        { name: 'Rope', line: 2 },
      ],
    },
  ],
  [
    'files to fetch',
    [
      { filename: 'a.js', name: 'a' },
      { filename: 'b.js', name: 'b' },
    ],
  ],
  ['a text', 'trace'],
  ['texts that name files', ['File "orders.csv", line 3', 'File "orders.csv", line 4']],
])('none: %s', (_name, body) => {
  expect(findListedTrace(JSON.stringify(body))).toBeNull()
})
