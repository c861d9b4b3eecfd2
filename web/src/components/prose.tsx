/** Sentences of a check: `code` between backquotes, paragraphs by empty lines. In English, whatever the page speaks. */

export const Prose = ({ text }: { readonly text: string }) =>
  text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => (
      <p key={part} lang="en">
        {part.split('`').map((piece, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no other name, and never move
          index % 2 === 1 ? <code key={index}>{piece}</code> : piece,
        )}
      </p>
    ))
