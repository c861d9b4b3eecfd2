/** Ways out of what surrounds a place in a script, to code that calls. */
import type { Context } from '../facts.ts'
import type { Call } from './calls.ts'

export interface Leaving {
  readonly payload: string
  /** What does not have to come back as it was sent: a lost backslash frees the quote behind it. */
  readonly freed: string | null
}

export const inScript = (quote: Context['quote'], { written }: Call): readonly Leaving[] => {
  const all = (payloads: readonly string[]): readonly Leaving[] => payloads.map((payload) => ({ payload, freed: null }))
  switch (quote) {
    case '':
      return all([
        written,
        `;${written};`,
        `1;${written}//`,
        `-${written}`,
        `);${written}//`,
        `};${written}//`,
        `});${written}//`,
      ])
    case '`':
      return all([`\${${written}}`, `\`;${written};\``, `\`-${written}-\``])
    case '//':
      return all([`\n${written}//`, `\u2028${written}//`])
    case '/*':
      // What the page writes behind it on the same line is code again.
      return all([`*/;${written};/*`, `*/${written}//`])
    case '/':
      return all([`/;${written};//`, `/-${written}-/`, `/);${written}//`])
    default:
      return [
        ...all([
          `${quote};${written};//`,
          `${quote}-${written}-${quote}`,
          `${quote};${written};${quote}`,
          `${quote});${written}//`,
          `${quote}};${written}//`,
          `${quote}});${written}//`,
          `${quote}]};${written}//`,
        ]),
        { payload: `\\${quote};${written};//`, freed: quote },
        { payload: `\\${quote}-${written}//`, freed: quote },
      ]
  }
}
