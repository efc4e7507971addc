import { CustomerId, CustomerLinks } from "@countersign/core/fiat"
import { IndividualId } from "@countersign/core/identity"
import { type ProjectId, Projects } from "@countersign/core/tenancy/projects"
import { Effect, Schema } from "effect"
import { decoderOf, encoderOf } from "../../api/endpoints/index.ts"
import type { Run } from "./session.ts"

const Individual = Schema.Struct({ individualId: IndividualId })
const ProviderIndividual = Schema.Struct({ ...Individual.fields, provider: Schema.String })
const Link = Schema.Struct({ ...ProviderIndividual.fields, customer: CustomerId })

const decodeIndividual = decoderOf(Individual)
const decodeProviderIndividual = decoderOf(ProviderIndividual)
const decodeLink = decoderOf(Link)

const encodeCustomers = encoderOf(Schema.Array(Schema.Struct({ provider: Schema.String, customer: Schema.String })))

/** Calls with which an operator links individuals to customers of fiat providers. The API does not have these calls. */
export const identitiesOf = (run: Run, project: ProjectId) => {
  const requireProjectAndLinks = Effect.andThen(
    Projects.use((projects) => projects.get(project)),
    CustomerLinks
  )
  const listLinkedCustomers = Effect.fnUntraced(function* (id: IndividualId) {
    return yield* encodeCustomers(yield* (yield* CustomerLinks).list(project, id))
  })
  return {
    /**
     * Links an individual to a provider's customer, and replaces an earlier link. Returns all links of the individual.
     */
    link: (body: typeof Link.Encoded) =>
      run(
        Effect.gen(function* () {
          const { customer, individualId, provider } = yield* decodeLink(body)
          yield* (yield* requireProjectAndLinks).link(project, individualId, { provider, customer })
          return yield* listLinkedCustomers(individualId)
        })
      ),
    /** Removes the link, if there is one. Returns the remaining links. */
    unlink: (body: typeof ProviderIndividual.Encoded) =>
      run(
        Effect.gen(function* () {
          const { individualId, provider } = yield* decodeProviderIndividual(body)
          yield* (yield* requireProjectAndLinks).unlink(project, individualId, provider)
          return yield* listLinkedCustomers(individualId)
        })
      ),
    /** Returns the customers that an individual is linked to. */
    customers: (individualId: string) =>
      run(
        Effect.gen(function* () {
          const { individualId: id } = yield* decodeIndividual({ individualId })
          yield* requireProjectAndLinks
          return yield* listLinkedCustomers(id)
        })
      )
  }
}
