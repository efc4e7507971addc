export { IndividualId, type VerifiedIndividual, VerifiedIndividuals } from "./VerifiedIndividuals.ts"
