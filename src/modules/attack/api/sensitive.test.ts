import { describe, expect, it } from 'vitest'
import { leavesOf } from './leaves.ts'
import { secretsOf } from './sensitive.ts'

const pointersOf = (document: unknown): readonly string[] => secretsOf(leavesOf(document)).map(({ pointer }) => pointer)

describe('what of an answer is a secret', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['a password of letters, in a record', { id: 7, name: 'Ada', password: 'letmein' }, ['/password']],
    ['the same beside an address', { login: 'ada@corp.example', password: 'Sommer' }, ['/password']],
    ['a password with a digit, among texts', { login: 'ada', password: 'hunter2' }, ['/password']],
    [
      'a hash among texts',
      { login: 'ada', password: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy' },
      ['/password'],
    ],
    ['of several records', [{ id: 1, passwd: 'Winter' }, { id: 2 }], ['/*/passwd']],
    [
      'a digest that is named after its algorithm',
      { id: 3, name: 'Ada', passwordMd5: '175ac6cfee1d3ab0' },
      ['/passwordMd5'],
    ],
    ['likewise, in front', { id: 3, name: 'Ada', sha1_password: 'Zm9vYmFyYmF6' }, ['/sha1_password']],
    ['a label in English', { user: { name: 'Name', password: 'Passphrase' } }, []],
    [
      'a label in German, with what a form puts behind it',
      { login: { password: 'Passwort:', submit: 'Anmelden' } },
      [],
    ],
    ['a label in Japanese', { password: 'パスワード', client_secret: 'シークレット' }, []],
    ['a number elsewhere makes no record of it', { version: 3, labels: { password: 'Kennwort' } }, []],
    ['a sentence', { id: 3, password: 'at least eight characters' }, []],
    ['masked', { id: 3, password: '********' }, []],
  ])('%s', (_name, document, expected) => {
    expect(pointersOf(document)).toEqual(expected)
  })
})
