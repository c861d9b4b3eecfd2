import { normalize } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import { caseCrawl } from '../../crawl/testing/crawl-facts.ts'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { siteFilesOf } from '../site-files.ts'
import { learnPaths, namedPathWays, pathWays, speaksOfFiles } from './files.ts'
import { resourceWays } from './resources.ts'

const KERNEL: Readonly<Record<string, string>> = {
  '/proc/version': 'Linux version 6.1.0-17-amd64 (gcc-12 (Debian) 12.2.0) #1 SMP',
  '/proc/filesystems': 'nodev\tsysfs\nnodev\ttmpfs\n\text4',
  '/srv/shop/pages/terms.txt': 'Goods can be sent back within 30 days.',
  '/WEB-INF/web.xml': '<?xml version="1.0"?><web-app version="6.0"><display-name>Shop</display-name></web-app>',
  '/docs/terms.txt': 'Goods can be sent back within 30 days.',
}
const LISTED: Readonly<Record<string, string>> = {
  '/proc/sys/kernel': 'hostname\nostype\nthreads-max',
  '/proc/sys/vm': 'overcommit_memory\nswappiness',
}
const shown = (path: string, files = KERNEL) => ({
  text: `<h1>Shop</h1><pre>${files[normalize(path)] ?? 'Not found'}</pre>`,
})
/** Each name is there once it was asked for. */
const written = () => {
  const there = new Set(['terms.txt'])
  return (name: string) => {
    const text = there.has(name) ? `${name} was there already` : 'New'
    there.add(name)
    return { text }
  }
}
const escaped = (text: string): string => text.replace(/[^\w <>/]/g, (char) => `&#${char.charCodeAt(0)};`)

it.each([
  'file',
  'fileName',
  'pageid',
  'template',
  'lang',
  'imgSrc',
  'readme_doc',
  'include',
  'locale_dir',
  'download',
])('%s speaks of files', (name) => {
  expect(speaksOfFiles(fakeProbe(() => shown('/'), { name, value: 'a' }).probe)).toBe(true)
})

it.each(['profile', 'review', 'thread', 'upload', 'adoring', 'credit', 'preview', 'lifestyle'])(
  '%s does not',
  (name) => {
    expect(speaksOfFiles(fakeProbe(() => shown('/'), { name, value: 'a' }).probe)).toBe(false)
  },
)

it.each<readonly [string, (text: string) => string]>([
  ['JSON', (text) => JSON.stringify({ content: text })],
  [
    'a text as a program writes it',
    (text) => `<td>(&#x27;rate&#x27;, &#x27;${JSON.stringify(text).slice(1, -1)}&#x27;)</td>`,
  ],
  ['base64', (text) => JSON.stringify({ content: Buffer.from(text).toString('base64') })],
])('files are told from their escapes in %s', async (_what, written) => {
  const { probe } = fakeProbe((v) => ({ text: written(KERNEL[normalize(v)] ?? 'none') }), {
    name: 'file',
    value: 'a.txt',
  })
  const hit = await firstOf(pathWays(probe))
  expect(hit !== null && isProven(hit)).toBe(true)
})

it.each<readonly [string, (name: string) => string]>([
  [
    'looks for two dots and decodes once more',
    (v) => (v.includes('..') || v.includes('/') ? 'none' : decodeURIComponent(v)),
  ],
  ['looks at the ending and is written in C', (v) => (v.endsWith('.txt') ? v.replace(/\0.*$/, '') : 'none')],
])('a program that %s hands out a file elsewhere', async (_what, read) => {
  const { probe } = fakeProbe((v) => shown(`/srv/shop/pages/${read(v)}`), {
    value: 'terms.txt',
    place: 'path',
    name: '1',
  })
  const hit = await firstOf(namedPathWays(probe))
  expect(hit !== null && isProven(hit)).toBe(true)
})

it('a document that a path names leads out of its folder, and a server that looks for it by that name shows none', async () => {
  const asked = async (answer: (v: string) => { status?: number; text: string }): Promise<boolean> => {
    const { probe } = fakeProbe(answer, { value: 'terms.txt', place: 'path', name: '1' })
    const hit = await firstOf(namedPathWays(probe))
    return hit !== null && isProven(hit)
  }
  expect(await asked((v) => shown(`/srv/shop/pages/${v}`))).toBe(true)
  expect(await asked((v) => (v === 'terms.txt' ? shown(`/srv/shop/pages/${v}`) : { status: 404, text: v }))).toBe(false)
})

it('what joins names with the folder that it is given lists one that ends as its own does', async () => {
  const joined = (v: string) => {
    const folder = normalize(`/srv/shop${v}`)
    const names = folder.endsWith('/') ? LISTED[folder.slice(0, -1)] : undefined
    return { text: `<ul>${names ?? ''}</ul>` }
  }
  const { probe } = fakeProbe(joined, { name: 'dir', value: '/docs/' })
  const hit = await firstOf(pathWays(probe))
  expect(hit !== null && isProven(hit)).toBe(true)
})

describe('what sends by the length of a file', () => {
  const BUILD = '\u0004\0\0\0\u0014\0\0\0\u0003\0\0\0GNU\0\u0012\ufffd3Vx\ufffd\u0006\0'
  const SIZES: Readonly<Record<string, string>> = {
    '/proc/version': '',
    '/proc/filesystems': '',
    '/sys/kernel/notes': BUILD,
    '/srv/shop/pages/terms.txt': 'Goods can be sent back within 30 days.',
  }
  const sent = (path: string) => {
    const text = SIZES[normalize(path)]
    return text === undefined ? { status: 404, text: 'Not found' } : { text }
  }

  it('is proven by a file of the kernel that has one, twice, and by one that is not there', async () => {
    const { probe, sent: values } = fakeProbe((v) => sent(`/srv/shop/pages/${v}`), { name: 'file', value: 'terms.txt' })
    const hit = await firstOf(pathWays(probe))
    expect(hit && isProven(hit)).toBe(true)
    expect(hit?.files.map(({ path }) => path)).toEqual(['/sys/kernel/notes', '/sys/kernel/notes'])
    expect(JSON.stringify(hit)).not.toMatch(/\\u00|\ufffd/)
    // Of the control one, then one upon which the others follow, two, and one that is not there.
    expect(values.filter((value) => value !== 'terms.txtqzvkx')).toHaveLength(4)
  })

  it.each([
    ['nothing is said of any name but its own', (v: string) => ({ text: v === 'terms.txt' ? 'Terms' : '' })],
    ['nothing is said of names with a slash', (v: string) => ({ text: v.includes('/') ? '' : 'Terms' })],
    [
      'all that is asked for is shown as one file',
      (v: string) => ({ text: v.includes('..') ? (/version/.test(v) ? '' : BUILD) : 'T' }),
    ],
  ])('is not where %s', async (_name, answer) => {
    const { probe } = fakeProbe(answer, { name: 'file', value: 'terms.txt' })
    const hit = await firstOf(pathWays(probe))
    expect(hit === null || !isProven(hit)).toBe(true)
  })

  it('is not asked on where a name that is not there is answered with nothing, too', async () => {
    const { probe, sent: values } = fakeProbe((v) => ({ text: v === 'terms.txt' ? 'Terms' : '' }), {
      value: 'terms.txt',
    })
    await firstOf(pathWays(probe))
    expect(values.filter((value) => value.includes('notes'))).toEqual([])
  })
})

describe('files of the machine', () => {
  it.each([
    ['behind a folder', (v: string) => shown(`/srv/shop/pages/${v}`)],
    ['behind a folder without a slash', (v: string) => shown(`/srv/shop/pages${v.startsWith('/') ? v : `/${v}`}`)],
    ['shown with references for every sign', (v: string) => ({ text: escaped(shown(`/srv/shop/pages/${v}`).text) })],
    [
      'as a text of JSON, whose tabs are escaped',
      (v: string) => ({ text: JSON.stringify({ lines: [shown(`/srv/shop/pages/${v}`).text] }) }),
    ],
    [
      'as a text of JSON, whose tabs are numbers',
      (v: string) => ({ text: JSON.stringify(shown(`/srv/shop/pages/${v}`)).replaceAll('\\t', '\\u0009') }),
    ],
    ['by an address', (v: string) => shown(v.startsWith('file://') ? v.slice(7) : 'none')],
    ['where ../ is cut once', (v: string) => shown(`/srv/shop/pages/${v.replaceAll('../', '')}`)],
    [
      'where ../ with the slash in front is cut, too, and nothing stands between',
      (v: string) => shown(`/srv/shop/pages${v.replaceAll('/../', '').replaceAll('../', '')}`),
    ],
    ['where an ending is put behind', (v: string) => shown(`/srv/shop/pages/${`${v}.txt`.split('\0')[0]}`)],
    ['where two dots are refused', (v: string) => (v.includes('..') ? shown('none') : shown(v))],
    [
      'where a folder is listed and two dots are refused',
      (v: string) => (/\.|:/.test(v) ? shown('none') : shown(v, LISTED)),
    ],
    ['where a folder is listed', (v: string) => shown(`/srv/shop/${v}`, LISTED)],
  ])('%s', async (_name, answer) => {
    const { probe } = fakeProbe(answer, { name: 'file', value: 'terms.txt' })
    const hit = await firstOf(pathWays(probe))
    expect(hit && isProven(hit)).toBe(true)
  })

  it('are found in what is posted, whatever it does', async () => {
    const request = { method: 'POST', effect: 'unknown' as const }
    const { probe } = fakeProbe((v) => shown(`/srv/shop/pages/${v}`), { name: 'doc', place: 'form', request })
    expect(await firstOf(pathWays(probe))).not.toBeNull()
  })

  it('are not asked of a place that says it keeps what it is sent', async () => {
    const { probe, sent } = fakeProbe((v) => shown(v), { name: 'logfile' })
    expect(await firstOf(pathWays(probe))).toBeNull()
    expect(sent).toEqual([])
  })

  describe('of a place whose words may mean either', () => {
    const exported = { url: 'http://shop.test/tables/export', method: 'GET' }
    const asked = async (answer: (v: string) => { status?: number; text: string }, request = exported) => {
      const { probe, sent } = fakeProbe(answer, { name: 'file', value: 'terms.txt', request })
      await learnPaths(probe)
      const hit = await firstOf(pathWays(probe))
      return { found: hit !== null, outside: sent.filter((value) => value.includes('proc')).length > 0 }
    }
    it('are found where it hands them out', async () => {
      expect((await asked((v) => shown(`/srv/shop/pages/${v}`))).found).toBe(true)
    })
    it.each([
      ['it says the same of any name', () => ({ text: 'Saved' }), exported],
      ['it makes what was not there', written(), exported],
      [
        'its words mean nothing but keeping',
        (v: string) => shown(v),
        { ...exported, url: 'http://shop.test/tables/save' },
      ],
      ['its method is another', (v: string) => shown(v), { ...exported, method: 'POST' }],
    ])('are not asked where %s', async (_name, answer, request) => {
      expect((await asked(answer, request)).outside).toBe(false)
    })
  })

  describe('of a place that is called as pages are, and holds a number', () => {
    const asked = async (answer: (v: string) => { text: string }) => {
      const { probe, sent } = fakeProbe(answer, { name: 'page', value: '2' })
      await learnPaths(probe)
      return { hit: await firstOf(pathWays(probe)), cost: sent.length }
    }
    const TENTS = ['Alder', 'Birch and cedar', 'Fir, larch and maple']
    it('are found where the number names a file', async () => {
      const files = { ...KERNEL, '/srv/shop/pages/2.txt': 'The second page.' }
      const { hit } = await asked((v) => shown(`/srv/shop/pages/${`${v}.txt`.split('\0')[0]}`, files))
      expect(hit && isProven(hit)).toBe(true)
    })
    it.each([
      ['counts', (v: string) => ({ text: TENTS[Number(v)] ?? 'Not found' })],
      ['counts, and its beginning is read', (v: string) => ({ text: TENTS[Number.parseInt(v, 10)] ?? 'Not found' })],
    ])('cost four requests where it %s', async (_name, answer) => {
      const { hit, cost } = await asked(answer)
      expect([hit, cost]).toEqual([null, 4])
    })
  })

  it('cost two requests where nothing speaks of files', async () => {
    const { probe, sent } = fakeProbe(() => shown('none'), { name: 'q', value: 'tent' })
    expect(await firstOf(pathWays(probe))).toBeNull()
    expect(sent).toHaveLength(2)
  })
})

describe('files of a Java application', () => {
  const jsp = { url: 'http://shop.test/shop/docs/show.jsp' }
  const asked = async (answer: (v: string) => { text: string }, value = '/docs/terms.txt') => {
    const { probe, sent } = fakeProbe(answer, { name: 'doc', value, request: jsp })
    const [usual] = await probe.baseline()
    return { hit: await firstOf(resourceWays(probe, usual)), sent }
  }

  it('are found where the page has shown that it reads', async () => {
    const { hit } = await asked((v) => shown(v))
    expect(hit && isProven(hit)).toBe(true)
    expect((await asked((v) => shown(`/docs/${v}`), 'terms.txt')).hit).not.toBeNull()
  })

  it('are found where other pages of the site tell that it is one', async () => {
    const at = async (address: string) => {
      const { probe } = fakeProbe((v) => shown(v), {
        ...{ name: 'doc', value: '/docs/terms.txt' },
        request: { url: 'http://shop.test/shop/docs/show' },
      })
      const [usual] = await probe.baseline()
      const row = { status: 200, contentType: 'text/html', title: '', depth: 0, source: 'link' as const }
      const site = siteFilesOf(caseCrawl({ urls: [{ url: `http://shop.test${address}`, ...row }] }))
      return firstOf(resourceWays(probe, usual, site))
    }
    expect(await at('/shop/orders/list.do')).not.toBeNull()
    expect(await at('/shop/help;jsessionid=7F2A')).not.toBeNull()
    expect(await at('/shop/orders/list')).toBeNull()
  })

  it('are found behind the name of a view', async () => {
    // What is forwarded to ends at the question mark.
    const forward = (name: string) => {
      const [path = ''] = `/WEB-INF/views/${name}.jsp`.split('?')
      if (normalize(path) === '/WEB-INF/web.xml') return { text: '<web-app version="4.0"><display-name>Shop' }
      return path === '/WEB-INF/views/about.jsp' ? { text: 'About us' } : { text: 'There is none' }
    }
    const { probe } = fakeProbe(forward, { name: 'page', value: 'about', request: jsp })
    const [usual] = await probe.baseline()
    const hit = await firstOf(resourceWays(probe, usual))
    expect(hit && isProven(hit)).toBe(true)
  })

  it.each([
    ['a page that says the same of every name', () => ({ text: 'Saved' })],
    ['one that makes what is not there', made()],
  ])('%s is never told of them', async (_name, answer) => {
    const { hit, sent } = await asked(answer)
    expect(hit).toBeNull()
    expect(sent.filter((value) => value.includes('WEB-INF'))).toEqual([])
  })
})

/** Says which names it has met before. */
function made(): (v: string) => { text: string } {
  const known = new Set(['/docs/terms.txt'])
  return (v) => {
    const met = known.has(v)
    known.add(v)
    return { text: met ? 'The old file was replaced by yours.' : 'A new file was made for you.' }
  }
}

describe('a picture that is found by a number', () => {
  const PICTURE = { text: 'JFIF', contentType: 'image/jpeg' }
  const NONE = { status: 404, text: 'There is none', contentType: 'text/plain' }
  const asked = async (
    read: (path: string, name: string) => { text: string; contentType: string; status?: number },
  ) => {
    const { probe } = fakeProbe(
      (v, changed) => {
        const query = changed?.url.split('?')[1] ?? `id=${encodeURIComponent(v)}`
        // It looks for dots and slashes before it decodes.
        if (/\.\.|\//.test(query)) return { status: 400, text: 'No', contentType: 'text/plain' }
        const name = decodeURIComponent(query.replace(/^.*id=/, ''))
        return /^\d+$/.test(name) ? PICTURE : read(normalize(`/srv/pictures/${name}`), name)
      },
      { value: '3', name: 'id', request: { url: 'http://shop.test/picture?id=3' } },
    )
    await learnPaths(probe)
    const hit = await firstOf(pathWays(probe))
    return hit !== null && isProven(hit) ? hit.flavour : null
  }

  it('by a name that is looked at before it is decoded is found', async () => {
    expect(await asked((path) => ({ ...PICTURE, text: KERNEL[path] ?? 'None' }))).toBe('../ with encoded dots')
  })

  it('and lists the folder in which it is not is found', async () => {
    const folder = (path: string) => path.replace(/\/[^/]*$/, '')
    expect(await asked((path) => ({ ...NONE, text: LISTED[folder(`${path}.jpg`)] ?? 'None' }))).toBe(
      '../ with encoded dots, a name that is not there',
    )
  })

  it('by its number alone is not', async () => {
    expect(await asked(() => NONE)).toBeNull()
  })
})

it.each([
  ['terms.txt', true],
  ['../terms', true],
  ['docs/terms', true],
  ['Please wait for the class.', false],
  ['Mr. Oak asks', false],
])('a name of a file is told from a sentence: %s', (value, expected) => {
  const { probe } = fakeProbe(() => ({ text: '' }), { name: 'remark', value })
  expect(speaksOfFiles(probe)).toBe(expected)
})
