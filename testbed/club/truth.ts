/** What is wrong in the club's application, and what only looks as if it were: by what chooses the part of its one program. */

export const FLAWS: readonly string[] = [
  'object-level GET page=letters&action=read',
  'object-level POST page=posts&action=edit',
  'object-level POST page=drafts&action=keep',
  'function-level POST page=desk&action=warn',
]

export const LOOKALIKES: readonly string[] = [
  'GET page=notes&action=read',
  'POST page=topics&action=edit',
  'POST page=plans&action=keep',
  'POST page=desk&action=praise',
]
