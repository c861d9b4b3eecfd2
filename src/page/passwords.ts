import { isPlaceholder } from '../knowledge/secrets/verify.ts'

const MOST = 50

/** `password=…`, `pwd: …`, in the languages that such notes are written in. */
const ASSIGNMENT =
  /\b(?:password|passwd|passwort|kennwort|pwd|passphrase|pass|mot de passe|contraseña)\s{0,3}(?:=|:|\bis\b)\s{0,3}["']?(?<value>[^\s"'<>,;]{5,64})/giu

/**
 * The passwords that a text assigns. Hints and code that handles a password are none: one has letters and something else.
 */
export const findPasswords = (text: string): readonly string[] =>
  [...text.matchAll(ASSIGNMENT).take(MOST)].map((match) => match.groups?.value ?? '').filter(isPassword)

const isPassword = (value: string): boolean =>
  /[a-z]/i.test(value) && /[^a-z]/i.test(value) && !isPlaceholder(value) && !/[(){}[\]]|^\$|\.\w+$/.test(value)
