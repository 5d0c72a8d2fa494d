# Search by BioPerl's RemoteBlast at an address, and print what was found: query, hit, score, start and end.
use strict;
use warnings;
use Bio::Tools::Run::RemoteBlast;

my ($url, $queries, $view) = @ARGV;
$Bio::Tools::Run::RemoteBlast::RETRIEVALHEADER{ALIGNMENT_VIEW} = $view;
my $reader = $view eq 'Tabular' ? 'blasttable' : 'SearchIO';
my $factory = Bio::Tools::Run::RemoteBlast->new(-prog => 'blastp', -data => 'demo', -readmethod => $reader);
$factory->set_url_base($url);
$factory->submit_blast($queries);
while (my @rids = $factory->each_rid) {
    for my $rid (@rids) {
        my $report = $factory->retrieve_blast($rid);
        next if !ref $report && $report == 0;
        die "no report: $report\n" unless ref $report;
        while (my $result = $report->next_result) {
            while (my $hit = $result->next_hit) {
                my $hsp = $hit->next_hsp;
                my @place = ($hsp->start('query'), $hsp->end('query'), $hsp->start('hit'), $hsp->end('hit'));
                print join("\t", $result->query_name, $hit->name, @place), "\n";
            }
        }
        $factory->remove_rid($rid);
    }
}
