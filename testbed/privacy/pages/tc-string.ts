/** TC strings by the grammar of the IAB's format 2 (core segment, disclosed vendors), for the testbed alone. */

export interface TcChoice {
  readonly purposes: readonly number[]
  readonly vendors: readonly number[]
  /** Null leaves the segment out. */
  readonly disclosed: readonly number[] | null
}

const EPOCH_DECISECONDS = 17_800_000_000

export const tcString = ({ purposes, vendors, disclosed }: TcChoice): string => {
  const core = bits(
    [2, 6],
    [EPOCH_DECISECONDS, 36],
    [EPOCH_DECISECONDS, 36],
    [300, 12], // consent tool
    [1, 12],
    [1, 6],
    [letter('E'), 6],
    [letter('N'), 6],
    [100, 12], // vendor list
    [5, 6], // policy
    [1, 1], // service specific
    [0, 1],
    [0, 12],
    ...flags(purposes, 24),
    ...flags([], 24),
    [0, 1],
    [letter('D'), 6],
    [letter('E'), 6],
    ...vendorSection(vendors),
    ...vendorSection([]),
    [0, 12],
  )
  return disclosed === null ? core : `${core}.${bits([1, 3], ...vendorSection(disclosed))}`
}

type Field = readonly [value: number, width: number]

const letter = (text: string): number => text.charCodeAt(0) - 65
const flags = (on: readonly number[], count: number): readonly Field[] =>
  Array.from({ length: count }, (_, index) => [on.includes(index + 1) ? 1 : 0, 1] as const)
const vendorSection = (vendors: readonly number[]): readonly Field[] => {
  const most = Math.max(0, ...vendors)
  return [[most, 16], [0, 1], ...flags(vendors, most)]
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const bits = (...fields: readonly Field[]): string => {
  const text = fields.map(([value, width]) => value.toString(2).padStart(width, '0')).join('')
  const whole = text.padEnd(Math.ceil(text.length / 24) * 24, '0')
  return [...whole.matchAll(/.{6}/g)].map(([six]) => ALPHABET[Number.parseInt(six, 2)]).join('')
}
