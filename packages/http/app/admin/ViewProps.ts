import type { Client } from "../../src/client/index.ts"

export interface ViewProps {
  readonly client: Client
  /** Id of the displayed resource; null for the list. */
  readonly id: string | null
}
