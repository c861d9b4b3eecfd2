import { describe, expect, it } from 'vitest'
import { addressesToldIn } from './told-addresses.ts'
import { parametersToldIn } from './told-parameters.ts'
import { markedOf } from './told-text.ts'

/** `detail`, `detail=full` where a value is told, `query:detail` where a place is. */
const told = (text: string, status = 200, type = 'text/html'): readonly string[] =>
  parametersToldIn(text, type, status).map(
    (one) => `${one.in === null ? '' : `${one.in}:`}${one.way.join('.')}${one.value === null ? '' : `=${one.value}`}`,
  )

const addresses = (text: string, page = 'http://shop.test/archive/report?id=4', type = 'text/html') =>
  addressesToldIn(markedOf(text, type), page).map((one) => one.replace('http://shop.test', ''))

describe('parameters that a page names', () => {
  it.each<[string, string, readonly string[]]>([
    ['in markup of its own', '<p>The parameter <code>detail</code> shows more.</p>', ['detail']],
    [
      'over the end of a line',
      '<p>Pages are shown whole by the parameter\n   <code>detail</code>, and\n<i>sort</i>\nparameters order them.',
      ['detail', 'sort'],
    ],
    ['before the word', 'Use the <b>detail</b> query parameter.', ['detail']],
    ['in quotes', 'It takes a parameter called “detail”.', ['detail']],
    ['with a value', 'Set the parameter <code>detail</code> to <code>full</code>.', ['detail=full']],
    [
      'with values',
      '<p>The <code>detail</code> parameter can be <code>short</code> or <code>full</code>.',
      ['detail=short'],
    ],
    ['as a pair', '<p>Append <code>detail=full</code> for all of it.', ['detail=full']],
    ['as a pair in running text', 'the parameter detail=full shows all', ['detail=full']],
    ['by its spelling', 'the parameter show_all, or the perPage parameter', ['show_all', 'perPage']],
    ['in a comment', '<!-- TODO: document the "detail" parameter -->', ['detail']],
    ['in words alone', 'Missing parameter: detail', ['detail']],
    ['two of them', '<p>Missing required parameters: detail, sort.</p>', ['detail', 'sort']],
    ['in front', 'Missing detail parameter', ['detail']],
    ['quoted', "Parameter 'detail' is required", ['detail']],
    ['of a list', 'Required fields: filter[name]', ['filter[name]']],
    [
      'by PHP',
      '<b>Warning</b>:  Undefined array key "detail" in <b>/srv/www/report.php</b> on line <b>7</b>',
      ['detail'],
    ],
    ['by PHP before 8', 'Notice: Undefined index: detail in /srv/www/report.php on line 7', ['detail']],
    ['by Python', "<pre>werkzeug.exceptions.BadRequestKeyError: 400 Bad Request: KeyError: 'detail'</pre>", ['detail']],
    ['by Ruby', 'param is missing or the value is empty: detail', ['detail']],
    ['by Java', "Required request parameter 'detail' for method parameter type String is not present", ['detail']],
    [
      'by an exception of Java',
      "org.springframework.web.bind.MissingServletRequestParameterException: Required String parameter 'detail' is not present",
      ['detail'],
    ],
    ['by ASP.NET', "A value for the 'detail' parameter or property was not provided.", ['detail']],
    ['by Go', "Key: 'Query.Detail' Error:Field validation for 'detail' failed on the 'required' tag", ['detail']],
    ['by Laravel', '<li>The detail field is required.</li>', ['detail']],
  ])('%s', (_name, text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  it.each<[string, object, readonly string[]]>([
    ['a list for each field', { errors: { detail: ['required'] } }, ['detail']],
    ['alone', { amount: ['This field is required.'] }, ['amount']],
    [
      'with their place',
      { detail: [{ loc: ['query', 'detail'], msg: 'Field required', type: 'missing' }] },
      ['query:detail'],
    ],
    [
      'within another',
      { detail: [{ loc: ['body', 'address', 'city'], msg: 'Field required' }] },
      ['body:address.city'],
    ],
    ['as a list of objects', { errors: [{ field: 'detail', message: 'must not be blank' }] }, ['detail']],
    [
      'with where they stand',
      { errors: [{ msg: 'Missing value', path: 'detail', location: 'query' }] },
      ['query:detail'],
    ],
    ['of problem details', { title: 'Bad', 'invalid-params': [{ name: 'detail', reason: 'is required' }] }, ['detail']],
    ['of JSON:API', { errors: [{ source: { parameter: 'detail' }, title: 'Missing parameter' }] }, ['detail']],
    [
      'of Ajv',
      { errors: [{ instancePath: '', keyword: 'required', params: { missingProperty: 'detail' } }] },
      ['detail'],
    ],
    ['of Zod', { issues: [{ code: 'invalid_type', path: ['detail'], message: 'Required' }] }, ['detail']],
    ['names alone', { error: 'incomplete', missing: ['detail', 'sort'] }, ['detail', 'sort']],
    ['in words', { error: { code: 7, message: 'Missing parameter: detail' } }, ['detail']],
    ['in quotes', { statusCode: 400, message: '"detail" is required' }, ['detail']],
  ])('that an interface misses: %s', (_name, body, expected) => {
    expect(told(JSON.stringify(body), 400, 'application/json')).toEqual(expected)
  })

  it.each<[string, string]>([
    [
      'a sentence about parameters',
      'Each parameter is optional. The parameter list is long, a missing parameter in the request is an error.',
    ],
    ['how many', 'The second parameter, the <em>first</em> parameter, no parameters: none.'],
    ['what is asked of people', 'Missing parameter: please choose one of the list. The key is under the mat.'],
    ['names of things', 'The "Harbour Hall" is required reading. “Summer” is a missing song of ours.'],
    ['what the form has itself', '<form><input name="detail"></form><p>The detail field is required.</p>'],
    ['numbers', 'Undefined array key 3, Undefined offset: 1, KeyError: 7'],
    ['scripts', '<script>throw "Missing parameter: detail"</script>'],
    ['arithmetic', '<p>With x = y the sum of the key is less.</p>'],
  ])('are not %s', (_name, text) => {
    expect(told(text)).toEqual([])
  })

  it.each<[string, object, number]>([
    [
      'the error itself',
      { status: 400, error: 'Bad Request', message: 'A value is required', path: '/api/report' },
      400,
    ],
    ['what raised it', { name: 'ValidationError', message: 'something is required' }, 400],
    ['data', { items: [{ name: 'tent', description: 'required for rain' }], required: ['detail'] }, 200],
    ['headers', { detail: [{ loc: ['header', 'x-key'], msg: 'Field required' }] }, 422],
    ['what is wrong with a value that came', { errors: { age: ['is too low'] } }, 422],
  ])('of an interface are not %s', (_name, body, status) => {
    expect(told(JSON.stringify(body), status, 'application/json')).toEqual([])
  })
})

describe('addresses that a page names', () => {
  it.each<[string, string, readonly string[]]>([
    ['of its own', '<p>Add ?detail=full for all of it.</p>', ['/archive/report?id=4&detail=full']],
    ['with one more', 'Append &amp;detail=full.', ['/archive/report?id=4&detail=full']],
    ['by a path', 'Try /report?detail=full', ['/report?detail=full']],
    ['by a file', 'Try <code>report.php?detail=full&amp;n=1</code>', ['/archive/report.php?detail=full&n=1']],
    ['in a comment', '<!-- was /archive/report?detail=full before -->', ['/archive/report?detail=full']],
    ['whole', 'See http://shop.test/archive/report?detail=full.', ['/archive/report?detail=full']],
    ['whole, without a query', 'See http://shop.test/archive/old.', ['/archive/old']],
    ['of the machine that it was made on', 'http://localhost:3000/report?detail=full', ['/report?detail=full']],
    ['with what stands for a value', 'Add ?detail=&lt;level&gt;', ['/archive/report?id=4&detail=test']],
  ])('%s', (_name, text, expected) => {
    expect(addresses(text)).toEqual(expected)
  })

  it.each([
    ['elsewhere', 'See https://other.test/report?detail=full'],
    ['shortened', 'See http://shop.test/archive/rep… and http://shop.test/archive/re...'],
    ['lines of a log', '10.0.0.1 - - "GET /report?detail=full HTTP/1.1" 404 12'],
    ['files of code', '<!-- /static/site.css?v=3 -->'],
    ['sentences', 'Is it really? Yes=no, and what of it?And more.'],
    ['forms with gaps', 'http://shop.test/items/{id}'],
  ])('are not %s', (_name, text) => {
    expect(addresses(text)).toEqual([])
  })
})

it.each([
  ...[
    '<!--',
    '<b>',
    'missing ',
    "missing parameter 'a",
    'parameter ',
    'a_b',
    '`a',
    '?a=',
    '&a=b',
    '/a',
    'http://a.',
    '"a" is ',
  ],
  ...['KeyError: ', 'MissingServletRequestParameter ', 'the the the required '],
])('a page full of %j is read quickly', (part) => {
  const text = part.repeat(200_000 / part.length)
  const began = process.cpuUsage()
  told(text, 400)
  addresses(text)
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000)
})
