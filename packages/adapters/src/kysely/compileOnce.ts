import { type CompiledQuery, sql } from "kysely"
import type { Dialect } from "./dialect.ts"

/** Stands for a parameter while a query is compiled. */
class Placeholder {
  readonly parameter: string
  constructor(parameter: string) {
    this.parameter = parameter
  }
}

/**
 * SQLite is built with statistics of values (STAT4): it plans a statement anew for each value that a plan may depend on,
 * which takes five times as long as a look-up. It does not look into a subquery.
 */
const placeholderFor: Record<Dialect, (parameter: string) => unknown> = {
  sqlite: (parameter) => sql`(select ${new Placeholder(parameter)})`,
  postgres: (parameter) => new Placeholder(parameter)
}

/** The text of a query, and how its values are ordered. */
export const compileOnce = <P extends Record<string, unknown>>(
  dialect: Dialect,
  compile: (parameters: P) => CompiledQuery
) => {
  const placeholders = new Proxy({} as P, { get: (_, parameter) => placeholderFor[dialect](String(parameter)) })
  const { sql: text, parameters: compiled } = compile(placeholders)
  return {
    text,
    bind: (parameters: P): ReadonlyArray<unknown> =>
      compiled.map((value) => (value instanceof Placeholder ? parameters[value.parameter] : value))
  }
}
