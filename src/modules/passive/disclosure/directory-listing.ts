import { isListing } from '../../../page/listing.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { isOwnFile } from '../../own-files.ts'
import { overAll, places, seenTexts } from './texts.ts'

const listing: FindingDefinition = {
  id: 'disclosure/directory-listing',
  title: 'Directory listing: the server lists the contents of folders',
  severity: 'low',
  cwe: 548,
  why: 'Everything that lies in the folder can be found, what nobody links to included.',
  remediation:
    'Switch the listing off: Apache `Options -Indexes`, nginx `autoindex off;`, IIS “Directory Browsing: Disabled”, Go: a file system for `http.FileServer` that opens no folders.',
  references: ['https://cwe.mitre.org/data/definitions/548.html'],
}

const sensitive: FindingDefinition = {
  ...listing,
  id: 'disclosure/directory-listing-sensitive',
  title: 'Directory listing with sensitive files',
  severity: 'medium',
  why: 'Backups, dumps, keys and logs are offered to everybody who opens the folder.',
  remediation: 'Move the files out of the folder that the web server delivers, and switch the listing off as well.',
}

/** Characters of a listing of many files. */
const LONGEST = 200_000

const SENSITIVE =
  /href="(?:[^"?]{0,500}\/)?([^"?/]{1,200}\.(?:sql|sqlite3?|db|bak|old|orig|env|pem|key|p12|pfx|log|zip|tar|t?gz|7z|rar|dump|mdb|kdbx|conf|ini|htpasswd)(?:\.gz)?)"/gi

export const directoryListing: Check<'disclosure', 'site'> = {
  findings: [listing, sensitive],
  judge: (facts, { site }, about) => {
    const asked = [...facts.folders, ...site.pages, ...seenTexts(facts)].filter(
      ({ url, status, body }) => status === 200 && isListing(body, url),
    )
    const findings = [listing, sensitive].flatMap((definition): Finding[] => {
      const mine = asked.filter(({ body }) => definition === listing || filesOf(body).length > 0)
      const [first] = mine
      if (first === undefined) return []
      const files = filesOf(first.body)
      const urls = [...new Set(mine.map(({ url }) => url))]
      return [
        {
          definition,
          confidence: 'confirmed',
          at: { url: first.url },
          places: places(urls),
          detail:
            definition === listing
              ? `${urls.length} folder${urls.length === 1 ? ' is' : 's are'} listed, ${first.url} for one.`
              : `${first.url} lists ${files.slice(0, 10).join(', ')}.`,
          proof: { excerpt: first.body.slice(0, 1500), mark: null, replay: `curl -s ${first.url}` },
        },
      ]
    })
    return overAll(facts, about, findings)
  },
}

/** Without what the run itself has left there. */
export const filesOf = (body: string): readonly string[] =>
  [...body.slice(0, LONGEST).matchAll(SENSITIVE)].map((match) => match[1] ?? '').filter((name) => !isOwnFile(name))
