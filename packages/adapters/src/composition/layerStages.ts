import { finalityStage, inclusionStage, Stages } from "@countersign/core/executions"
import { Effect, Layer } from "effect"

/** Every stage that an execution can be in. A feature that waits for something new adds its own here. */
export const layerStages = Layer.effect(Stages, Effect.all([inclusionStage, finalityStage]))
