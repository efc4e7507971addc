import { type CompiledQuery, sql } from "kysely"
import type { Dialect } from "./dialect.ts"

/** Represents a parameter while a query is compiled. */
class Placeholder {
  readonly parameter: string
  constructor(parameter: string) {
    this.parameter = parameter
  }
}

/**
 * Creates the placeholder of a parameter. SQLite keeps statistics of values (STAT4) and makes a new plan for each value
 * that may affect it, which takes five times as long as a lookup. It makes no new plan for a value in a subquery.
 */
const placeholderFor: Record<Dialect, (parameter: string) => unknown> = {
  sqlite: (parameter) => sql`(select ${new Placeholder(parameter)})`,
  postgres: (parameter) => new Placeholder(parameter)
}

/** Compiles a query to its text and a function that puts its values in order. */
export const compileOnce = <P extends Record<string, unknown>>(
  dialect: Dialect,
  compile: (parameters: P) => CompiledQuery
) => {
  const placeholders = new Proxy({} as P, { get: (_, parameter) => placeholderFor[dialect](String(parameter)) })
  const { sql: text, parameters: template } = compile(placeholders)
  return {
    text,
    bind: (parameters: P): ReadonlyArray<unknown> =>
      template.map((value) => (value instanceof Placeholder ? parameters[value.parameter] : value))
  }
}
