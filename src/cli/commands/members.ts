/** `sonde member`: people of the organisation, who have signed in by OpenID Connect. */
import { Command } from 'commander'
import { Role } from '../../contract/organisation.ts'
import { Uuid } from '../../contract/run.ts'
import { connect } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { jsonText, table } from '../screen.ts'
import { examples, JSON_FLAG, matching, oneOf, removedText } from './options.ts'

const ONE = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'
const ID = ['<id>', 'id of the member', matching(Uuid, 'It is the id that "sonde member list" shows.')] as const

export const memberCommand = (deps: CliDeps): Command => {
  const { out } = deps.screen
  const member = new Command('member').description('people of the organisation, and what each may do')
  member
    .command('list')
    .description('list who has signed in by OpenID Connect')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde member list'))
    .action(async (options: { json?: true }) => {
      const { items } = await (await connect(deps)).listMembers()
      const rows = items.map((one) => [one.id, one.name, one.email ?? '-', one.role, one.last_seen_at])
      out(options.json ? jsonText({ items }) : table(['ID', 'NAME', 'E-MAIL', 'ROLE', 'LAST SEEN'], rows))
    })
  member
    .command('set')
    .description('change the role of a member; it holds from their next request on')
    .argument(...ID)
    .requiredOption('--role <role>', Role.options.join(', '), oneOf(Role.options))
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde member set ${ONE} --role reader`))
    .action(async (id: string, { role, json }: { role: Role; json?: true }) => {
      const now = await (await connect(deps)).updateMember({ params: { id }, body: { role } })
      out(json ? jsonText(now) : table(['ID', 'NAME', 'ROLE'], [[now.id, now.name, now.role]]))
    })
  member
    .command('remove')
    .description('remove a member and end their sessions')
    .argument(...ID)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde member remove ${ONE}`))
    .action(async (id: string, options: { json?: true }) => {
      await (await connect(deps)).removeMember({ params: { id } })
      out(removedText(id, options.json))
    })
  return member
}
