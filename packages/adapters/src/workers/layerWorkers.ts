import type { Retention } from "@countersign/core/retention"
import type { UserOperations } from "@countersign/core/user-operations"
import { Layer } from "effect"
import * as OperationFollower from "./OperationFollower.ts"
import * as RetentionPruner from "./RetentionPruner.ts"

/** What a process does besides answering requests; but for webhooks, which show resources as the HTTP API does. */
export const layerWorkers = (worker: string): Layer.Layer<never, never, UserOperations | Retention> =>
  Layer.merge(OperationFollower.layer(worker), RetentionPruner.layer)
