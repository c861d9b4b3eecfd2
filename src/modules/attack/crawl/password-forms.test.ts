import { describe, expect, it } from 'vitest'
import { readHtml } from '../../../page/html.ts'
import { SETS_PASSWORD } from '../../../safety/form-effect.ts'
import { draftsOfForm } from './forms.ts'
import { createRequests } from './requests.ts'

const ORIGIN = 'http://shop.test'
const PAGE = `<form method=post action=/person.php><input name=label value=Frida><input type=password name=k1>
<input type=password name=k2><button>Save</button></form>`
const drafts = readHtml(PAGE, `${ORIGIN}/person.php`).forms.flatMap((form) =>
  draftsOfForm(form, `${ORIGIN}/person.php`),
)
const sent = (path: string, body: string) => ({
  ...({ method: 'POST', url: `${ORIGIN}${path}`, encoding: 'urlencoded', source: 'browser', seenOn: ORIGIN } as const),
  fields: [...new URLSearchParams(body)].map(([name, value]) => ({ name, value, type: 'text' })),
  sent: false,
})
const WHOLE = 'label=Frida&email=a%40b.test&k1=x&k2=x&part=2'

describe('what a page has sent without telling the types of its fields', () => {
  const harmOf = (order: 'form first' | 'form later', request: ReturnType<typeof sent>) => {
    const requests = createRequests(() => ({
      ...{ environment: 'test', signedIn: true, staff: false, excludes: () => false },
    }))
    if (order === 'form first') for (const draft of drafts) requests.add(draft)
    const added = requests.add(request)
    if (order === 'form later') for (const draft of drafts) requests.add(draft)
    const found = requests.all().find(({ source }) => source === 'browser')
    return { added: added?.harm, found: found?.harm, toLearn: requests.unlearned().map(({ source }) => source) }
  }

  it.each(['form first', 'form later'] as const)('sets a password where a form of its address does: %s', (order) => {
    expect(drafts.map(({ harm }) => harm)).toEqual([SETS_PASSWORD])
    expect(harmOf(order, sent('/person.php?tab=2', WHOLE))).toMatchObject({ found: SETS_PASSWORD, toLearn: [] })
  })

  it.each([
    ['another address', '/other.php', WHOLE],
    ['without its passwords', '/person.php', 'label=Frida&part=2'],
  ])('is sent: %s', (_what, path, body) => {
    expect(harmOf('form first', sent(path, body))).toEqual({ added: null, found: null, toLearn: ['browser'] })
  })
})
