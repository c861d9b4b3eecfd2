/** Sentences of a check: `code` between backquotes, paragraphs by empty lines. `lang`: where they are not in the page's language. */

export const Prose = ({ text, lang }: { readonly text: string; readonly lang?: 'en' }) =>
  text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => (
      <p key={part} lang={lang}>
        {part.split('`').map((piece, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no other name, and never move
          index % 2 === 1 ? <code key={index}>{piece}</code> : piece,
        )}
      </p>
    ))
