/** In which language the organisation is written to. */
import { NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../client.ts'
import { type Language, useText } from '../../i18n/text.tsx'
import { orgLanguageQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { FailureLine } from '../failure.tsx'

export const LanguageSection = () => {
  const { t } = useText()
  const queries = useQueryClient()
  const [mayRead, mayWrite] = [useMay('organisation:read'), useMay('organisation:write')]
  const read = useQuery({ ...orgLanguageQuery, enabled: mayRead })
  const set = useMutation({
    mutationFn: (language: Language) => client.setLanguage({ body: { language } }),
    onSuccess: (changed) => queries.setQueryData(orgLanguageQuery.queryKey, changed),
  })
  if (read.data === undefined) return <FailureLine error={read.error} />
  return (
    <section className="card pad stack tight" aria-labelledby="org-language">
      <h2 id="org-language">{t('orgLanguage')}</h2>
      <p className="quiet small">{t('orgLanguageText')}</p>
      <NativeSelect
        className="narrow"
        aria-labelledby="org-language"
        disabled={!mayWrite || set.isPending}
        value={read.data.language}
        onChange={(event) => set.mutate(event.currentTarget.value === 'de' ? 'de' : 'en')}
        data={[
          { value: 'en', label: 'English' },
          { value: 'de', label: 'Deutsch' },
        ]}
      />
      <FailureLine error={set.error} />
    </section>
  )
}
