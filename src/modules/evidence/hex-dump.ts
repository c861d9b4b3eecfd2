/** Bytes of an exchange as people read them: offset, sixteen bytes in hexadecimal, the same as text. */

/** `bytes` in base64 or as they are; at most `most` of them are written. */
export const writeBytes = (bytes: string | Uint8Array, most = 512): string => {
  const all = typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : Buffer.from(bytes)
  const lines: string[] = []
  for (let at = 0; at < Math.min(all.length, most); at += 16) {
    const row = all.subarray(at, Math.min(at + 16, most))
    const hex = [...row].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    lines.push(
      `${at.toString(16).padStart(4, '0')}  ${hex.padEnd(47)}  ${row.toString('latin1').replace(/[^\x20-\x7e]/g, '.')}`,
    )
  }
  if (all.length > most) lines.push(`… ${all.length - most} more bytes`)
  return lines.join('\n')
}
