/** Lists of ports as an operator writes them: `22,80,8000-8100`. */

/**
 * Ascending, each port once.
 * @throws RangeError naming the part that cannot be read
 */
export const parsePorts = (text: string): number[] => {
  const ports = new Set<number>()
  for (const part of text.split(',').map((piece) => piece.trim())) {
    const [, first, last] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? []
    const from = Number(first)
    const to = Number(last ?? first)
    if (first === undefined || from < 1 || to > 65_535 || to < from) {
      throw new RangeError(`"${part}" is no port and no range of ports (1 to 65535), as in 22,80,8000-8100`)
    }
    for (let port = from; port <= to; port += 1) ports.add(port)
  }
  return [...ports].toSorted((a, b) => a - b)
}

/** The shortest text that means these ports. */
export const writePorts = (ports: readonly number[]): string => {
  const ranges: [number, number][] = []
  for (const port of [...new Set(ports)].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && port === last[1] + 1) last[1] = port
    else ranges.push([port, port])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
