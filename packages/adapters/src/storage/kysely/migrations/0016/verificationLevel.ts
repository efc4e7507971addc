import type { ColumnTypes } from "../Migration.ts"

export interface LevelColumn {
  level: string
}

/**
 * Adds the verification level of an individual. A completed session determines it; otherwise an operator has set it.
 */
export const verificationLevel = ({ text }: ColumnTypes): ReadonlyArray<string> => [
  `alter table verified_individuals add column level ${text} not null default 'BASIC'`,
  `update verified_individuals set level = 'DOCUMENTS' where id like 'own\\_%' escape '\\'`,
  `update verified_individuals
    set level = (select case max(case session.kind when 'business' then 1 else 0 end) when 1 then 'BUSINESS' else 'DOCUMENTS' end
      from verification_sessions session
      where session.project_id = verified_individuals.project_id
        and session.identity_id = verified_individuals.id and session.status = 'COMPLETED')
    where exists (select 1 from verification_sessions session
      where session.project_id = verified_individuals.project_id
        and session.identity_id = verified_individuals.id and session.status = 'COMPLETED')`
]
