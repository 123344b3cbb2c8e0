// Ads of things that nobody sells, one after the other.

export const ADS = [
  {
    adId: 'ad-moon-cheese',
    campaignId: 'harvest-moon',
    name: 'Moon Cheese',
    line: 'Aged for 4.5 billion years. Still on offer.',
    look: 'cheese',
  },
  { adId: 'ad-gravity-boots', campaignId: 'spring-tide', name: 'Gravity Boots', line: 'Keep both feet on any ground.', look: 'boots' },
  { adId: 'ad-nebula-noodles', campaignId: 'late-supper', name: 'Nebula Noodles', line: 'Ready in three light minutes.', look: 'noodles' },
]
