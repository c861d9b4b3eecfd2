/** Small but honest interpreters of filters and expressions, so that pages have something to hand a value to. */

export interface Person {
  readonly [attribute: string]: string
}

export const PEOPLE: readonly Person[] = [
  { uid: 'robin', cn: 'Robin Hale', objectClass: 'person' },
  { uid: 'mika', cn: 'Mika Storm', objectClass: 'person' },
  { uid: 'jo', cn: 'Jo Fern', objectClass: 'person' },
]

/** RFC 4515 filters: and, or, not, equality with wildcards. @throws on anything else */
export const ldapMatches = (filter: string, person: Person): boolean => {
  let at = 0
  const expect = (char: string): void => {
    if (filter[at] !== char) throw new Error(`filter: ${char} expected at ${at}`)
    at += 1
  }
  const one = (): boolean => {
    expect('(')
    const operator = filter[at] ?? ''
    let result: boolean
    if ('&|!'.includes(operator)) {
      at += 1
      const parts: boolean[] = []
      while (filter[at] === '(') parts.push(one())
      if (parts.length === 0 || (operator === '!' && parts.length > 1)) throw new Error('filter: operands')
      result = operator === '&' ? parts.every(Boolean) : operator === '|' ? parts.some(Boolean) : !parts[0]
    } else {
      // A not without parentheses of its own, as lenient servers take it.
      const match = /^(!?)\(?(\w+)=([^()]*)\)?/.exec(filter.slice(at))
      const item = /^(\w+)=([^()]*)/.exec(filter.slice(at))
      if (!match || !item) throw new Error('filter: item')
      at += item[0].length
      result = wildcard(item[2] ?? '', person[item[1] ?? ''])
    }
    expect(')')
    return result
  }
  const result = one()
  if (at !== filter.length) throw new Error('filter: text behind the end')
  return result
}

const unescapeLdap = (text: string): string =>
  text.replace(/\\([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

const wildcard = (pattern: string, value: string | undefined): boolean => {
  if (value === undefined) return false
  const source = pattern
    .split('*')
    .map((part) => unescapeLdap(part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${source}$`, 'i').test(value)
}

export const escapeLdap = (text: string): string =>
  text.replace(/[*()\\]/g, (char) => `\\${char.charCodeAt(0).toString(16).padStart(2, '0')}`)

/**
 * What cmd.exe prints for a line: commands joined by & outside of double quotes, of which it knows echo and set /a with a
 * product. A line break ends what it reads.
 */
export const cmdOutput = (line: string): string => {
  const commands = (line.split(/[\r\n]/)[0] ?? '').match(/(?:"[^"]*"?|[^&"])+/g) ?? []
  return commands
    .map((command) => command.trim())
    .map((command) => {
      const product = /^set \/a (\d+)\*(\d+)$/i.exec(command)
      if (product) return String(Number(product[1]) * Number(product[2]))
      if (/^echo /i.test(command)) return `${command.slice(5)}\r\n`
      return `'${command.split(' ')[0]}' is not recognized as an internal or external command\r\n`
    })
    .join('')
}

/**
 * The condition of an XPath step: comparisons of texts, numbers, products, children and string-length(), joined by and/or,
 * in parentheses where wanted.
 */
export const xpathMatches = (condition: string, person: Person): boolean => {
  const tokens = condition.match(/'[^']*'|"[^"]*"|[\w-]+|[=()*]|\S/g) ?? []
  let at = 0
  const expect = (token: string): void => {
    if (tokens[at++] !== token) throw new Error(`xpath: ${token}`)
  }
  const single = (): string => {
    const token = tokens[at++]
    if (token === undefined) throw new Error('xpath: end')
    if (token === 'string-length') {
      expect('(')
      const inner = single()
      expect(')')
      return String(inner.length)
    }
    if (/^['"].*['"]$/.test(token)) return token.slice(1, -1)
    if (/^\d+$/.test(token)) return token
    if (/^[a-z]+$/i.test(token)) return person[token] ?? ''
    throw new Error(`xpath: ${token}`)
  }
  const operand = (): string => {
    let value = single()
    while (tokens[at] === '*') {
      at += 1
      value = String(Number(value) * Number(single()))
    }
    return value
  }
  const comparison = (): boolean => {
    if (tokens[at] === '(') {
      at += 1
      const inner = conjunction()
      expect(')')
      return inner
    }
    const left = operand()
    expect('=')
    return left === operand()
  }
  const conjunction = (): boolean => {
    let result = comparison()
    while (tokens[at] === 'and') {
      at += 1
      result = comparison() && result
    }
    return result
  }
  let result = conjunction()
  while (tokens[at] === 'or') {
    at += 1
    result = conjunction() || result
  }
  if (at !== tokens.length) throw new Error('xpath: text behind the end')
  return result
}

/** The operators of a document database on one field. @throws on one it does not know */
export const documentMatches = (wanted: unknown, value: string): boolean => {
  if (typeof wanted === 'string') return wanted === value
  if (typeof wanted !== 'object' || wanted === null) return false
  return Object.entries(wanted).every(([operator, operand]) => {
    if (operator === '$eq') return operand === value
    if (operator === '$ne') return operand !== value
    if (operator === '$in') return Array.isArray(operand) && operand.includes(value)
    if (operator === '$regex') return new RegExp(String(operand)).test(value)
    throw new Error(`unknown operator ${operator}`)
  })
}

/** q[$in][]=x and the like as bodies are parsed by many frameworks. */
export const nested = (encoded: string, name: string): unknown => {
  const object: Record<string, unknown> = {}
  let text: unknown
  for (const [key, value] of new URLSearchParams(encoded)) {
    const match = /^(\w+)(?:\[([^\]]+)\])?(\[\])?$/.exec(key)
    if (match?.[1] !== name) continue
    if (match[2] === undefined) text = value
    else object[match[2]] = match[3] ? [value] : value
  }
  return Object.keys(object).length > 0 ? object : text
}
