/** Names of files that probes give to a site and leave there: what a site says of them, it says of ours. */
import { randomBytes } from 'node:crypto'

/** Ten digits of chance, letters and numbers among them, which no file of the site has in its name. */
const OWN = /(?<![a-z0-9])q(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{10}(?![0-9a-f])/

/** `ending`: with its dot, '' without. */
export const newFileName = (ending: string): string => {
  for (;;) {
    const name = `q${randomBytes(5).toString('hex')}`
    if (isOwnFile(name)) return `${name}${ending}`
  }
}

/** Also where the site has put something before or behind it. */
export const isOwnFile = (name: string): boolean => OWN.test(name)
