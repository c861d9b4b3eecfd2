import { judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { directoryListing } from './directory-listing.ts'
import { caseDisclosure, caseFetched } from './testing/disclosure-facts.ts'

const facts = caseDisclosure()
const known = { site: caseSite() }
const body = (text: string) => ({ site: caseSite({ page: { body: text } }) })
const LISTING = '<title>Index of /static</title><h1>Index of /static</h1><a href="/">Parent Directory</a>'
const folder = (text: string, status = 200) => caseDisclosure({ folders: [caseFetched('/static/', text, { status })] })

judgeCases(directoryListing, [
  { name: 'forbidden', facts: folder('Forbidden', 403), known, expect: [] },
  { name: 'Apache', facts: folder(LISTING), known, expect: ['disclosure/directory-listing'] },
  {
    name: 'a folder that holds an archive of the run itself',
    facts: folder(`${LISTING}<a href="q0a1b2c3d4e.zip">q0a1b2c3d4e.zip</a>`),
    known,
    expect: ['disclosure/directory-listing'],
  },
  {
    name: 'nginx',
    facts: folder('<title>Index of /static/</title><pre><a href="../">../</a>'),
    known,
    expect: ['disclosure/directory-listing'],
  },
  {
    name: 'Tomcat, whose slashes are references',
    facts: folder(
      '<title>Directory Listing For [&#47;static&#47;]</title><h1>Directory Listing For [&#47;static&#47;] – <a href="/"><b>Up To [&#47;]</b></a></h1>',
    ),
    known,
    expect: ['disclosure/directory-listing'],
  },
  {
    name: 'Jetty',
    facts: folder(
      '<title>Directory: /static/</title><h1 class="title">Directory: /static/</h1><table class="listing">',
    ),
    known,
    expect: ['disclosure/directory-listing'],
  },
  {
    name: 'links to files alone, as Go lists them',
    facts: folder('<pre>\n<a href="app.js">app.js</a>\n<a href="old/">old/</a>\n</pre>\n'),
    known,
    expect: ['disclosure/directory-listing'],
  },
  {
    name: 'links elsewhere alone',
    facts: folder('<pre><a href="https://shop.test/a">a</a> <a href="/b">b</a></pre>'),
    known,
    expect: [],
  },
  {
    name: 'a program that lists a folder by its path',
    facts: folder(
      '<title>listing directory /static</title><h1><a href="/">~</a> / <a href="/static">static</a></h1><ul><li><a href="/static/plan.md">plan.md</a><li><a href="/static/a%20b">a b 12 KB</a></ul>',
    ),
    known,
    expect: ['disclosure/directory-listing'],
  },
  {
    name: 'a program that lists a folder with a copy in it',
    facts: folder('<h1>Files of /static/</h1><a href="/static/users.bak">users.bak</a>'),
    known,
    expect: ['disclosure/directory-listing', 'disclosure/directory-listing-sensitive'],
  },
  {
    name: 'a page of a folder that leads elsewhere too',
    facts: folder('<title>Files of /static/</title><a href="/static/a.md">a.md</a> <a href="/imprint">Imprint</a>'),
    known,
    expect: [],
  },
  {
    name: 'a page of downloads with a title of its own',
    facts: folder('<title>Static files</title><a href="/static/a.md">a.md</a>'),
    known,
    expect: [],
  },
  {
    name: 'with a dump',
    facts: folder(`${LISTING}<a href="shop.sql.gz">x</a>`),
    known,
    expect: ['disclosure/directory-listing', 'disclosure/directory-listing-sensitive'],
  },
  {
    name: 'an article with such a title',
    facts,
    known: body('<title>Index of /words</title><p>An essay</p>'),
    expect: [],
  },
])
