import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Member } from '../../../../src/contract/account.ts'
import type { Role } from '../../../../src/contract/organisation.ts'
import { client } from '../../client.ts'
import { useText } from '../../i18n/text.tsx'
import { membersQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { ROLES } from '../../words.ts'
import { Failure, FailureLine } from '../failure.tsx'
import { Ghosts } from '../ghost.tsx'
import { Ago } from '../when.tsx'

const Members = () => {
  const { t } = useText()
  const members = useQuery(membersQuery)
  const ways = useQuery({ queryKey: ['sign-in'], queryFn: () => client.readSignIn() })
  if (members.data === undefined) {
    return members.error ? <Failure error={members.error} retry={() => void members.refetch()} /> : <Ghosts />
  }
  const { items } = members.data
  return (
    <section className="stack tight" aria-label={t('members')}>
      <p className="quiet">{t('membersText')}</p>
      <dl className="facts">
        {ROLES.map((role) => (
          <div key={role} className="contents">
            <dt>{t(`role_${role}`)}</dt>
            <dd>{t(`role_${role}_hint`)}</dd>
          </div>
        ))}
      </dl>
      <div className="card">
        {items.length === 0 ? (
          <div className="empty">
            <h2>{t('noMembersTitle')}</h2>
            <p>{ways.data?.open_id === null ? t('noProvider') : t('noMembersText')}</p>
          </div>
        ) : (
          <table className="table blocks">
            <caption className="hidden">{t('members')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('name')}</th>
                <th scope="col">{t('role')}</th>
                <th scope="col">{t('lastSeen')}</th>
                <th scope="col">
                  <span className="hidden">{t('removeMember')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((member) => (
                <MemberRow key={member.id} member={member} />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  )
}

const MemberRow = ({ member }: { readonly member: Member }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('organisation:write')
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: membersQuery.queryKey })
  const change = useMutation({
    mutationFn: (role: Role) => client.updateMember({ params: { id: member.id }, body: { role } }),
    onSettled: again,
  })
  const remove = useMutation({
    mutationFn: () => client.removeMember({ params: { id: member.id } }),
    onSettled: again,
  })
  return (
    <tr>
      <td>
        <strong>{member.name}</strong> <span className="quiet small break">{member.email}</span>
        <FailureLine error={change.error ?? remove.error} />
      </td>
      <td className="fit">
        {may ? (
          <NativeSelect
            aria-label={`${t('role')}: ${member.name}`}
            value={member.role}
            onChange={(event) => {
              const role = ROLES.find((one) => one === event.currentTarget.value)
              if (role !== undefined) change.mutate(role)
            }}
            data={ROLES.map((role) => ({ value: role, label: t(`role_${role}`) }))}
          />
        ) : (
          t(`role_${member.role}`)
        )}
      </td>
      <td className="fit quiet" data-label={t('lastSeen')}>
        <Ago iso={member.last_seen_at} />
      </td>
      <td className="fit right">
        {may ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${t('removeMember')} ${member.name}`}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {t('removeMember')}
          </Button>
        ) : null}
      </td>
    </tr>
  )
}

export default Members
