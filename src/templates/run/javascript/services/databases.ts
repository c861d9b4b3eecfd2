/** MySQL, PostgreSQL, SQL Server, Redis: what they say to whoever connects. */

import { mssql } from '../../../../protocols/services/sql.ts'
import { ScriptAnswer } from '../../../language/script/errors.ts'
import { type Ask, asking, type ModuleShape, SIGNS_IN } from './asking.ts'

const redisAnswer = async (talk: Parameters<Ask>[0], command: string): Promise<string> => {
  talk.send(command)
  const answer = (await talk.read()).toString('latin1')
  if (!/^[$+-]/.test(answer)) throw new ScriptAnswer('what answers there is not Redis')
  return answer
}

const redisInfo: Ask = async (talk) => {
  const answer = await redisAnswer(talk, 'INFO\r\n')
  if (answer.startsWith('-')) throw new ScriptAnswer(answer.trim().slice(0, 200))
  return answer.replace(/^\$\d+\r\n/, '')
}

/** Whether the server wants a password: no template says so of one that answers everybody. */
const redisAsksForPassword: Ask = async (talk) => {
  const answer = await redisAnswer(talk, 'PING\r\n')
  if (!/^-(?:NOAUTH|WRONGPASS)/.test(answer)) throw new ScriptAnswer('the server asks nobody for a password')
  return true
}

/** The greeting of the protocol: length, sequence, protocol 10, version text (MySQL's own documentation, HandshakeV10). */
const greetingOf = (bytes: Buffer): string | null =>
  bytes[4] === 10 ? bytes.toString('latin1', 5, Math.max(5, bytes.indexOf(0, 5))) : null

const isMysql: Ask = async (talk) => greetingOf(await talk.read()) !== null
const mysqlGreeting: Ask = async (talk) => {
  const version = greetingOf(await talk.read())
  if (version === null) throw new ScriptAnswer('what answers there is not MySQL')
  return JSON.stringify({
    Host: talk.host,
    Port: talk.port,
    Protocol: 'mysql',
    TLS: false,
    Transport: 'tcp',
    Version: version,
  })
}

/** SSLRequest of PostgreSQL: one byte, S or N. */
const isPostgres: Ask = async (talk) => {
  talk.send(Buffer.from('0000000804d2162f', 'hex'))
  return /^[SN]$/.test((await talk.read((seen) => seen.length > 0)).toString('latin1'))
}

const isMssql: Ask = async (talk) => (await mssql.run(talk)) !== null

export const DATABASES: readonly ModuleShape[] = [
  {
    name: 'redis',
    calls: { GetServerInfo: asking(redisInfo), IsAuthenticated: asking(redisAsksForPassword) },
    refused: { [SIGNS_IN]: ['GetServerInfoAuth', 'Connect', 'RunLuaScript'] },
  },
  {
    name: 'mysql',
    client: 'MySQLClient',
    calls: { IsMySQL: asking(isMysql), FingerprintMySQL: asking(mysqlGreeting) },
    refused: {
      [SIGNS_IN]: [
        'Connect',
        'ConnectWithDB',
        'ConnectWithDSN',
        'ExecuteQuery',
        'ExecuteQueryWithOpts',
        'ExecuteQueryOnDB',
      ],
    },
  },
  {
    name: 'postgres',
    client: 'PGClient',
    calls: { IsPostgres: asking(isPostgres) },
    refused: { [SIGNS_IN]: ['Connect', 'ConnectWithDB', 'ExecuteQuery'] },
  },
  {
    name: 'mssql',
    client: 'MSSQLClient',
    calls: { IsMssql: asking(isMssql) },
    refused: { [SIGNS_IN]: ['Connect', 'ConnectWithDB', 'ExecuteQuery'] },
  },
]
