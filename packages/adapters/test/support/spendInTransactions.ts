// Runs in a separate process: spends compute units of a project one at a time, each in a transaction that takes some
// time.

import { UnitOfWork } from "@countersign/core/foundation/primitives"
import { ComputeUnitStore } from "@countersign/core/tenancy/metering"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect } from "effect"
import { layerSqlite } from "../../src/storage/kysely/index.ts"

const [file, project, count] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const store = yield* ComputeUnitStore
  const unitOfWork = yield* UnitOfWork
  const spend = store.deduct(ProjectId.make(project!), 1)
  for (let doneCount = 0; doneCount < Number(count); doneCount++) {
    yield* unitOfWork.run(Effect.andThen(Effect.sleep("1 millis"), spend))
    yield* spend
  }
})

await Effect.runPromise(Effect.provide(program, layerSqlite(file!)))
