import type { Client } from "../../src/client/index.ts"

export interface ViewProps {
  readonly client: Client
  /** The id of the resource; null for the list. */
  readonly id: string | null
}
