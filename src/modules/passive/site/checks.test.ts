import { judgeCases } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import { serverError } from './server-error.ts'
import { soft404 } from './soft-404.ts'

const error = casePage({ status: 503 })

judgeCases(serverError, [
  { name: 'every load fails', facts: caseSite({ page: { status: 500 } }), expect: ['site/server-error'] },
  { name: 'fails now and then', facts: caseSite({ pages: [error] }), expect: ['site/server-error'] },
  { name: 'refused is no server error', facts: caseSite({ page: { status: 403 } }), expect: [] },
  { name: 'only a linked page fails', facts: caseSite({ pages: [casePage(), { ...error, depth: 1 }] }), expect: [] },
  { name: 'the host only redirects away', facts: caseSite({ pages: [] }), expect: [], unjudged: 'not_tested' },
])

judgeCases(soft404, [
  {
    name: 'every random path is found',
    facts: caseSite({ missing: [casePage(), casePage()] }),
    expect: ['site/soft-404'],
  },
  { name: 'only one kind of path', facts: caseSite({ missing: [casePage(), casePage({ status: 404 })] }), expect: [] },
  { name: 'gone', facts: caseSite({ missing: [casePage({ status: 410 })] }), expect: [] },
  { name: 'none asked for', facts: caseSite({ missing: [] }), expect: [], unjudged: 'not_tested' },
])
