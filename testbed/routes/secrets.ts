/**
 * Made-up secrets in the formats of real ones. They are put together here so that the repository itself
 * holds nothing that looks like a key, and none of them opens anything.
 */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Letters that look random and are always the same. */
const letters = (alphabet: string, length: number, seed: number): string => {
  let state = seed
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return alphabet[Math.floor((state / 2147483648) * alphabet.length)]
  }).join('')
}

/** In the flawed shop's script: one cloud key pair and one public key that is meant to be there. */
export const plantedSecrets = (): string => `var config = {
  accessKeyId: '${['AK', 'IA', letters(BASE32, 16, 7)].join('')}',
  secretAccessKey: '${letters(`${BASE62}+/`, 40, 11)}',
  stripe: '${['pk', 'live', letters(BASE62, 24, 13)].join('_')}'
}
`
