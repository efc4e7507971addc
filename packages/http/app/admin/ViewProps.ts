import type { Client } from "../../src/client/index.ts"

/** What each view gets. */
export interface ViewProps {
  readonly client: Client
  /** The resource that it shows; null for all of them. */
  readonly id: string | null
}
