/**
 * Many words in one pass over a text (Aho and Corasick, 1975): linear in the text whatever it holds. Words are byte strings.
 * Edges lie in one open hash table, since half a million nodes with a table each would not fit.
 */
export interface WordIndex {
  /** Number of a word in `scan`'s answer, undefined when the index does not hold it. */
  readonly idOf: (word: string) => number | undefined
  /** One bit a word: which occur in the text. */
  readonly scan: (text: string) => Uint8Array
  readonly size: number
}

export const buildWordIndex = (words: Iterable<string>): WordIndex => {
  const ids = new Map<string, number>()
  let characters = 1
  for (const word of words) {
    if (word === '' || ids.has(word)) continue
    ids.set(word, ids.size)
    characters += word.length
  }
  const edges = createEdges(characters)
  const wordAt = new Int32Array(characters).fill(-1)
  const parent = new Int32Array(characters)
  const label = new Uint8Array(characters)
  const depth = new Int32Array(characters)
  let nodes = 1
  for (const [word, id] of ids) {
    let node = 0
    for (let at = 0; at < word.length; at += 1) {
      const byte = word.charCodeAt(at) & 0xff
      let next = edges.get(node, byte)
      if (next < 0) {
        next = nodes++
        edges.set(node, byte, next)
        parent[next] = node
        label[next] = byte
        depth[next] = at + 1
      }
      node = next
    }
    wordAt[node] = id
  }
  const { fail, output } = link(nodes, { edges, parent, label, depth, wordAt })
  const starts = Uint8Array.from({ length: 256 }, (_, byte) => (edges.get(0, byte) < 0 ? 0 : 1))
  return {
    size: ids.size,
    idOf: (word) => ids.get(word),
    scan: (text) => {
      const found = new Uint8Array(ids.size)
      let node = 0
      for (let at = 0; at < text.length; at += 1) {
        const byte = text.charCodeAt(at) & 0xff
        if (node === 0 && starts[byte] === 0) continue
        let next = edges.get(node, byte)
        while (next < 0 && node !== 0) {
          node = fail[node] ?? 0
          next = edges.get(node, byte)
        }
        node = Math.max(next, 0)
        for (let hit = output[node] ?? 0; hit !== 0; hit = output[fail[hit] ?? 0] ?? 0) {
          const id = wordAt[hit] ?? -1
          // What ends here has ended before with all its own endings.
          if (id >= 0 && found[id] === 1) break
          if (id >= 0) found[id] = 1
        }
      }
      return found
    },
  }
}

interface Trie {
  readonly edges: Edges
  readonly parent: Int32Array
  readonly label: Uint8Array
  readonly depth: Int32Array
  readonly wordAt: Int32Array
}

/** `output` is the nearest node on the way of failures that ends a word, itself included; 0 means none. */
const link = (nodes: number, { edges, parent, label, depth, wordAt }: Trie) => {
  const fail = new Int32Array(nodes)
  const output = new Int32Array(nodes)
  const order = Uint32Array.from({ length: nodes }, (_, node) => node).sort((a, b) => (depth[a] ?? 0) - (depth[b] ?? 0))
  for (const node of order) {
    if (node === 0) continue
    const byte = label[node] ?? 0
    let at = parent[node] ?? 0
    if (at !== 0) {
      do {
        at = fail[at] ?? 0
        const next = edges.get(at, byte)
        if (next >= 0) {
          fail[node] = next
          break
        }
      } while (at !== 0)
    }
    output[node] = (wordAt[node] ?? -1) >= 0 ? node : (output[fail[node] ?? 0] ?? 0)
  }
  return { fail, output }
}

interface Edges {
  /** -1 when there is none. */
  readonly get: (node: number, byte: number) => number
  readonly set: (node: number, byte: number, next: number) => void
}

const createEdges = (most: number): Edges => {
  const bits = Math.max(10, Math.ceil(Math.log2(most * 1.6)))
  const size = 2 ** bits
  const mask = size - 1
  const keys = new Float64Array(size).fill(-1)
  const values = new Int32Array(size)
  const slot = (key: number): number => {
    let at = (Math.imul(key, 0x9e3779b1) >>> (32 - bits)) & mask
    while (keys[at] !== key && keys[at] !== -1) at = (at + 1) & mask
    return at
  }
  return {
    get: (node, byte) => {
      const at = slot(node * 256 + byte)
      return keys[at] === -1 ? -1 : (values[at] ?? -1)
    },
    set: (node, byte, next) => {
      const key = node * 256 + byte
      const at = slot(key)
      keys[at] = key
      values[at] = next
    },
  }
}
