/** Where a header line goes, in the words of the two servers that most sites run. */
export const sendHeader = (name: string, value: string): string =>
  `nginx, in the server block: \`add_header ${name} "${value}" always;\` (repeat it in every location that has an ` +
  `add_header of its own, which would replace it). Apache, in the virtual host, with mod_headers: ` +
  `\`Header always set ${name} "${value}"\`.`
