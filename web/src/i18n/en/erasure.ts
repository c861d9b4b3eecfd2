/** Data that are gone for good, and where scans come from. */
export const ERASURE = {
  scanAddresses: 'Where scans come from',
  scanAddressesText:
    'For the allow-list of a firewall. Every request of a scan carries the signed header {header}; whether one was ours is answered at {verify}.',
  scanAddressesNone: 'The operator has named no addresses (SONDE_SCAN_ADDRESSES).',
  eraseTitle: 'Erase data for good',
  eraseText:
    'Deletes a domain with all of its runs, findings, decisions, reports and evidence, also one that was removed before. Rows go at once, files soon after; then there is a signed receipt. Backups are files of the operator and are not touched.',
  erase: 'Erase a domain',
  eraseQuestion: 'Erase all data of a domain?',
  eraseName: 'Domain',
  eraseAgain: 'The name once more',
  erased: 'Erased',
  erasedLine:
    '{name}: {runs, plural, one {# run} other {# runs}}, {files, plural, one {# file} other {# files}}, asked for by {who}',
  erasedWhole: 'the whole organisation',
  receipt: 'Receipt',
  receiptLater: 'Files are being deleted',
} as const
